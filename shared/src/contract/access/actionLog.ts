export const actionLogTitles = {
  time: '时间',
  username: '用户',
  verb: '操作',
  entity: '对象',
  entityName: '名称',
  ok: '结果',
  changes: '修改内容',
  duration: '耗时 (毫秒)',
  address: '地址',
}
