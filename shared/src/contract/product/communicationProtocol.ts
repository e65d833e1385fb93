import { fieldTitles } from '../fields'
import type { Transport, NodeType, ParameterType, Parameter } from './communicationProtocol.schema'

export const transportText: Record<Transport, string> = {
  mqtt: 'MQTT',
  tcp: 'TCP',
  udp: 'UDP',
  http: 'HTTP',
  serial: '串口 RS-485',
  zigbee: 'Zigbee',
  ble: '蓝牙',
  lora: 'LoRa',
  bus: '楼宇总线',
}
export const nodeTypeText: Record<NodeType, string> = {
  direct: '直连设备',
  gateway: '网关',
  sub: '网关子设备',
}
export const parameterTypeText: Record<ParameterType, string> = {
  text: '文字',
  number: '数字',
  boolean: '是或否',
}

/** Formats all fields, so that two different parameters never read the same. */
export const formatParameters = (list: Parameter[]) =>
  list
    .map(({ label, key, type, required, default: value, secret }) => {
      const parameterFacts = [key, parameterTypeText[type], required && '必填', secret && '保密']
      const defaultFact = value && `默认 ${value}`
      return `${label}（${[...parameterFacts, defaultFact].filter(Boolean).join('，')}）`
    })
    .join('；')

export const communicationProtocolTitles = {
  name: '协议名称',
  code: '协议编码',
  transport: '传输方式',
  nodes: '适用节点',
  protocolVersion: '协议版本',
  parameters: '参数模板',
  updateTime: fieldTitles.updateTime,
}
