export { includesAny, intersectRoles, roles, roleSet, type RoleSet } from "./role.ts";
export { authorize, notAuthorized, rolesFor } from "./rules.ts";
