import type { z } from 'zod'
import type { DictionaryConfig } from '@iot/shared/contract/dictionary'

const options = (pairs: Record<string, string>) => Object.entries(pairs).map(([code, description]) => ({ code, description }))

/** The vocabulary of the thing model; codes are Alibaba's TSL. `symbol` keeps the sign as code and the Chinese name. */
export const dictionary: z.infer<typeof DictionaryConfig>[] = [
  {
    type: 'symbol',
    configLists: options({
      '%': '百分比', '°C': '摄氏度', '°F': '华氏度', K: '开尔文', '%RH': '相对湿度', lux: '照度', lm: '流明', cd: '坎德拉',
      V: '伏特', mV: '毫伏', kV: '千伏', A: '安培', mA: '毫安', W: '瓦特', kW: '千瓦', MW: '兆瓦', var: '乏', kvar: '千乏', VA: '伏安', kVA: '千伏安',
      Wh: '瓦时', 'kW·h': '千瓦时', kvarh: '千乏时', Hz: '赫兹', kHz: '千赫兹', MHz: '兆赫兹', Ω: '欧姆', 'kΩ': '千欧',
      Pa: '帕斯卡', kPa: '千帕', MPa: '兆帕', bar: '巴', hPa: '百帕', m: '米', cm: '厘米', mm: '毫米', km: '千米', 'm/s': '米每秒', 'km/h': '千米每小时', rpm: '转每分钟',
      'm²': '平方米', 'm³': '立方米', L: '升', mL: '毫升', 'm³/h': '立方米每小时', 'L/min': '升每分钟', kg: '千克', g: '克', t: '吨',
      ppm: '百万分率', ppb: '十亿分率', 'μg/m³': '微克每立方米', 'mg/m³': '毫克每立方米', 'mg/L': '毫克每升', dB: '分贝', dBm: '分贝毫瓦', pH: '酸碱度', NTU: '浊度',
      s: '秒', ms: '毫秒', min: '分钟', h: '小时', day: '天', '°': '角度', B: '字节', KB: '千字节', MB: '兆字节', count: '次', 'GJ': '吉焦', 'W/m²': '瓦每平方米',
    }),
  },
  { type: 'node', configLists: options({ direct: '直连设备', gateway: '网关设备', subDevice: '网关子设备' }) },
  {
    type: 'protocol',
    configLists: options({ mqtt: 'MQTT', modbus: 'Modbus', 'opc-ua': 'OPC UA', zigbee: 'ZigBee', ble: '蓝牙低功耗', knx: 'KNX', dali: 'DALI', bacnet: 'BACnet', customize: '自定义' }),
  },
  { type: 'event_type', configLists: options({ info: '信息', alert: '告警', error: '故障' }) },
  {
    type: 'data_type',
    configLists: options({ int: '整数', float: '单精度浮点', double: '双精度浮点', enum: '枚举', bool: '布尔', text: '字符串', date: '时间', struct: '结构体', array: '数组' }),
  },
  { type: 'function_type', configLists: options({ property: '属性', service: '服务', event: '事件' }) },
  { type: 'rw_type', configLists: options({ r: '只读', rw: '读写', w: '只写' }) },
  { type: 'net', configLists: options({ wifi: 'Wi-Fi', cellular: '蜂窝网络', ethernet: '以太网', lora: 'LoRa', zigbee: 'ZigBee', ble: '蓝牙', other: '其他' }) },
  { type: 'mapEngineeringVersion', configLists: options({ 1: 'V1.0' }) },
]
