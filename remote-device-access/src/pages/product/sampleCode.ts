import type { ProductDetail } from '@iot/shared/contract/product'
import type { DataType, Param } from '@iot/shared/contract/thingModel'

type Of = Pick<ProductDetail, 'productKey' | 'node' | 'model'>

/** Returns an example of a valid reported value. */
export function exampleOf(dataType: DataType): unknown {
  switch (dataType.type) {
    case 'int':
    case 'float':
    case 'double':
      return dataType.specs.min ?? Math.min(1, dataType.specs.max ?? 1)
    case 'bool':
      return 1
    case 'enum':
      return Number(Object.keys(dataType.specs)[0])
    case 'bitmap':
      return 2 ** Number(Object.keys(dataType.specs)[0])
    case 'text':
      return 'abc'.slice(0, dataType.specs.length)
    case 'date':
      return '1767225600000'
    case 'struct':
      return valuesOf(dataType.specs)
    case 'array':
      return [exampleOf(dataType.specs.item)]
  }
}
const valuesOf = (params: Param[]) =>
  Object.fromEntries(params.map(({ identifier, dataType }) => [identifier, exampleOf(dataType)]))
const literal = (params: Param[]) => JSON.stringify(valuesOf(params))

const keys = (productKey: string, indent: string) =>
  [
    `productKey: '${productKey}'`,
    `deviceName: '<DeviceName>'`,
    `deviceSecret: '<DeviceSecret>'`,
  ].join(`,\n${indent}`)

/** Generates SDK code that reports and answers, with one function of each kind. */
function talk({ productKey, model: { properties, services, events } }: Of) {
  const reported = properties.filter(({ accessMode }) => accessMode !== 'w').slice(0, 1)
  const calls = (['sync', 'async'] as const).flatMap(
    (kind) => services.find(({ callType }) => callType === kind) ?? [],
  )
  return [
    ...(reported.length > 0 ? [`device.postProps(${literal(reported)}, console.log)`] : []),
    ...events
      .slice(0, 1)
      .map(
        ({ identifier, outputData }) =>
          `device.postEvent('${identifier}', ${literal(outputData)}, console.log)`,
      ),
    ...(properties.some(({ accessMode }) => accessMode !== 'r')
      ? [
          `device.onProps(({ id, params }) => {
  device.publish('/sys/${productKey}/<DeviceName>/thing/service/property/set_reply', JSON.stringify({ id, code: 200, data: {} }))
  device.postProps(params, console.log)
})`,
        ]
      : []),
    ...calls.map(
      ({ identifier, callType, outputData }) =>
        `device.onService('${identifier}', (request, reply) => reply({ code: 200, data: ${literal(outputData)} }, '${callType}'))`,
    ),
  ].join('\n')
}

const inside = (text: string) => text.replace(/^/gm, '  ')

/**
 * Generates code that connects a device of this product and reports first values; it runs once names and secrets are
 * filled in.
 */
export function sampleCode(of: Of, brokerUrl: string) {
  const head = `const iot = require('alibabacloud-iot-device-sdk')\n`
  if (of.node !== 'sub')
    return `${head}const device = iot.${of.node === 'gateway' ? 'gateway' : 'device'}({
  ${keys(of.productKey, '  ')},
  brokerUrl: '${brokerUrl}',
})
device.on('connect', () => {
${inside(talk(of))}
})`
  return `${head}// 子设备不直接连接，由网关代为登录。
const gateway = iot.gateway({
  ${keys('<网关的 ProductKey>', '  ').replaceAll("'<Device", "'<网关的 Device")},
  brokerUrl: '${brokerUrl}',
})
const sub = {
  ${keys(of.productKey, '  ')},
}
gateway.on('connect', () => {
  gateway.addTopo([sub], () => {
    const device = gateway.login(sub, () => {
${inside(inside(inside(talk(of))))}
    })
  })
})`
}
