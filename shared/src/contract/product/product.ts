import { fieldTitles } from '../fields'
import type { z } from 'zod'
import type { ProductStatus, ProductNodeType } from './product.schema'

export const productStatusText: Record<ProductStatus, string> = {
  developing: '开发中',
  published: '已发布',
  disabled: '停用',
}
/** A published function may be removed once no device has used it for this many days. */
export const unusedAfterDays = 30
export const nodeText: Record<z.infer<typeof ProductNodeType>, string> = {
  direct: '直连设备',
  gateway: '网关设备',
  sub: '网关子设备',
}
export const authTypeText = { deviceSecret: '一机一密', productSecret: '一型一密' }
export const dataFormatText = { alink: 'Alink JSON', custom: '自定义' }
/** The texts belong to the dictionary `net`. */
export const netText = {
  wifi: 'Wi-Fi',
  cellular: '蜂窝网络',
  ethernet: '以太网',
  lora: 'LoRa',
  zigbee: 'ZigBee',
  ble: '蓝牙',
  /** This value is reserved for devices behind a gateway. */
  gateway: '经网关',
  other: '其他',
}
/** The texts belong to the built-in communication protocols. */
export const protocolText = {
  mqtt: 'MQTT',
  modbus: 'Modbus',
  'opc-ua': 'OPC UA',
  zigbee: 'ZigBee',
  ble: '蓝牙低功耗',
  knx: 'KNX',
  dali: 'DALI',
  bacnet: 'BACnet',
  customize: '自定义',
}

export const productTitles = {
  name: '产品名称',
  modelNo: '型号',
  categoryName: '品类',
  manufacturerName: '厂商',
  node: '节点类型',
  protocol: '通信协议',
  controlTypes: '控制类型',
  productKey: 'ProductKey',
  deviceCount: '设备数',
  status: fieldTitles.status,
  updateTime: fieldTitles.updateTime,
}
