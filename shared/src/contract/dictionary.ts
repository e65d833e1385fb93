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
