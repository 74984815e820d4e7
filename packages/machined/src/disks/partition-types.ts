/** GUID of partitions with data of Linux. */
export const linuxData = "0FC63DAF-8483-4772-8E79-3D69D8477DE4";
