export { includesAny, intersectRoles, roles, roleSet, type RoleSet } from "./role.ts";
export { authorize, rolesFor } from "./rules.ts";
