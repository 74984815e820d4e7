/** SELinux label of files under `/etc`. */
export const etcLabel = "system_u:object_r:etc_t:s0";
