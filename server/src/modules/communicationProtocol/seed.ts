import type {
  Parameter,
  Transport,
  NodeType,
} from '@iot/shared/contract/product/communicationProtocol.schema'
import type { Db } from '../../core/db/db'
import { communicationProtocol } from '../../tables/communicationProtocol'

const parameter = (
  key: string,
  label: string,
  type: Parameter['type'],
  value = '',
  isRequired = true,
): Parameter => ({ key, label, type, required: isRequired, default: value, secret: false })
const secretParameter = (key: string, label: string): Parameter => ({
  ...parameter(key, label, 'text'),
  secret: true,
})
const protocol = (
  code: string,
  name: string,
  transport: Transport,
  nodes: NodeType[],
  parameters: Parameter[],
  protocolVersion = '',
) => ({
  code,
  name,
  transport,
  nodes,
  parameters,
  protocolVersion,
  document: '',
  description: '',
  status: 'enabled' as const,
  builtin: true,
  createBy: '系统',
  updateBy: '系统',
})

/** Protocols of the dictionary `protocol`, with the fields that an engineer fills in for a device. */
const builtinProtocols = [
  protocol('mqtt', 'MQTT', 'mqtt', ['direct', 'gateway', 'sub'], [], '3.1.1'),
  protocol(
    'modbus',
    'Modbus',
    'serial',
    ['sub'],
    [
      parameter('slave', '从站地址', 'number', '1'),
      parameter('baudRate', '波特率', 'number', '9600'),
      parameter('pollInterval', '轮询间隔（毫秒）', 'number', '1000'),
    ],
  ),
  protocol(
    'opc-ua',
    'OPC UA',
    'tcp',
    ['sub'],
    [
      parameter('endpoint', '服务器地址', 'text'),
      parameter('username', '用户名', 'text', '', false),
      secretParameter('password', '密码'),
    ],
  ),
  protocol('zigbee', 'ZigBee', 'zigbee', ['sub'], [parameter('ieee', 'IEEE 地址', 'text')], '3.0'),
  protocol('ble', '蓝牙低功耗', 'ble', ['sub'], [parameter('mac', 'MAC 地址', 'text')]),
  protocol('knx', 'KNX', 'bus', ['sub'], [parameter('groupAddress', '组地址', 'text', '1/1/1')]),
  protocol(
    'dali',
    'DALI',
    'bus',
    ['sub'],
    [parameter('shortAddress', '短地址', 'number', '0')],
    '2',
  ),
  protocol(
    'bacnet',
    'BACnet',
    'udp',
    ['sub'],
    [parameter('deviceId', '设备实例号', 'number'), parameter('port', '端口', 'number', '47808')],
  ),
  protocol('customize', '自定义', 'tcp', ['direct', 'gateway', 'sub'], []),
]

export const seedProtocols = (db: Db) =>
  db.insert(communicationProtocol).values(builtinProtocols).onConflictDoNothing()
