/** `刚刚`, `8 分钟`, `3 小时`, `2 天` */
export function formatAge(since: string | null, now: number) {
  if (!since) return ''
  const minutes = Math.floor((now - Date.parse(since)) / 60_000)
  if (minutes < 1) return '刚刚'
  if (minutes < 60) return `${minutes} 分钟`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} 小时`
  return `${Math.floor(minutes / 60 / 24)} 天`
}
