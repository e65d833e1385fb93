/** The zone in which all times of a project are shown, entered and exported, wherever the browser stands. */
export const projectTimeZone = 'Asia/Shanghai'
