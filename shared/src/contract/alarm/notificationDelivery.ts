export const deliveryKindText = {
  message: '消息',
  summary: '汇总',
  test: '测试',
  expired: '放弃',
  cancelled: '取消',
  skipped: '未发送',
} as const
export type DeliveryKind = keyof typeof deliveryKindText
