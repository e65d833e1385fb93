export const loginLogTitles = {
  time: '时间',
  username: '账号',
  ok: '结果',
  reason: '原因',
  address: 'IP 地址',
  browser: '浏览器',
  system: '操作系统',
  online: '会话',
}
