/** Shown in place of the name of a device that is no longer in the project. */
export const missingDeviceLabel = '已删除或移走的设备'
