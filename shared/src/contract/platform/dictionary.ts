export const dictionaryTypes = [
  'symbol',
  'node',
  'protocol',
  'event_type',
  'data_type',
  'function_type',
  'rw_type',
  'net',
  'mapEngineeringVersion',
] as const
export type DictionaryType = (typeof dictionaryTypes)[number]

export const dictionaryText: Record<DictionaryType, string> = {
  symbol: '单位',
  node: '节点类型',
  protocol: '通信协议',
  event_type: '事件类型',
  data_type: '数据类型',
  function_type: '功能类型',
  rw_type: '读写类型',
  net: '联网方式',
  mapEngineeringVersion: '地图工程版本',
}

/** These dictionaries are rows that users maintain in screens of their own; the others are fixed by the standard. */
export const maintainedDictionaries = ['protocol', 'mapEngineeringVersion'] as const
