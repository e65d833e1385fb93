/** `8 秒`, `3 分 20 秒`, `1 小时 5 分` */
export function formatDuration(startTime: string, endTime: string | null) {
  if (endTime === null) return '—'
  const seconds = Math.max(0, Math.round((Date.parse(endTime) - Date.parse(startTime)) / 1000))
  if (seconds < 60) return `${seconds} 秒`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} 分 ${seconds % 60} 秒`
  return `${Math.floor(seconds / 3600)} 小时 ${Math.floor((seconds % 3600) / 60)} 分`
}
