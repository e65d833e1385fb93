import type { ProductDetail } from '@iot/shared/contract/product/product.schema'
import { isOffered } from '@iot/shared/contract/thingModel/deprecation'
import type { DataType, Param, ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'

type SampleProduct = Pick<ProductDetail, 'productKey' | 'node' | 'model'>

/** Returns an example of a valid reported value. */
export function createExample(dataType: DataType): unknown {
  switch (dataType.type) {
    case 'int':
    case 'float':
    case 'double':
      return createExampleNumber(dataType.specs)
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
      return createExampleValues(dataType.specs)
    case 'array':
      return [createExample(dataType.specs.item)]
  }
}
/** Zero where the range contains it: the lower end, such as -40 °C, would be valid but look like a fault. */
function createExampleNumber({ min, max }: { min?: number; max?: number }) {
  if (min !== undefined && min > 0) return min
  return max !== undefined && max < 0 ? max : 0
}
const createExampleValues = (params: Param[]) =>
  Object.fromEntries(
    params.map(({ identifier, dataType }) => [identifier, createExample(dataType)]),
  )
const formatExampleValues = (params: Param[]) => JSON.stringify(createExampleValues(params))

const formatCredentials = (productKey: string, indent: string) =>
  [
    `productKey: '${productKey}'`,
    `deviceName: '<DeviceName>'`,
    `deviceSecret: '<DeviceSecret>'`,
  ].join(`,\n${indent}`)

/**
 * An information event is reported at once. An alert or a fault would open an incident, so it is only shown as a
 * comment for the place where the device finds one.
 */
function formatEventLines(events: ThingModel['events']) {
  const toCall = ({ identifier, outputData }: ThingModel['events'][number]) =>
    `device.postEvent('${identifier}', ${formatExampleValues(outputData)}, console.log)`
  const infoEvent = events.find(({ type }) => type === 'info')
  if (infoEvent) return [toCall(infoEvent)]
  return events.slice(0, 1).map((event) => `// 发生“${event.name}”时：${toCall(event)}`)
}

/** Generates SDK code that reports and answers, with one function of each kind. */
function generateDeviceCode({ productKey, model }: SampleProduct) {
  const [properties, services, events] = [
    model.properties.filter((one) => isOffered(one)),
    model.services.filter((one) => isOffered(one)),
    model.events.filter((one) => isOffered(one)),
  ]
  const reportedProperties = properties.filter(({ accessMode }) => accessMode !== 'w').slice(0, 1)
  const sampleServices = (['sync', 'async'] as const).flatMap(
    (kind) => services.find(({ callType }) => callType === kind) ?? [],
  )
  return [
    ...(reportedProperties.length > 0
      ? [`device.postProps(${formatExampleValues(reportedProperties)}, console.log)`]
      : []),
    ...formatEventLines(events),
    ...(properties.some(({ accessMode }) => accessMode !== 'r')
      ? [
          `device.onProps(({ id, params }) => {
  device.publish('/sys/${productKey}/<DeviceName>/thing/service/property/set_reply', JSON.stringify({ id, code: 200, data: {} }))
  device.postProps(params, console.log)
})`,
        ]
      : []),
    ...sampleServices.map(
      ({ identifier, callType, outputData }) =>
        `device.onService('${identifier}', (request, reply) => reply({ code: 200, data: ${formatExampleValues(outputData)} }, '${callType}'))`,
    ),
  ].join('\n')
}

const indentLines = (text: string) => text.replace(/^/gm, '  ')

/**
 * Generates code that connects a device of this product and reports first values; it runs once names and secrets are
 * filled in.
 */
export function generateSampleCode(product: SampleProduct, brokerUrl: string) {
  const importLine = `const iot = require('alibabacloud-iot-device-sdk')\n`
  if (product.node !== 'sub')
    return `${importLine}const device = iot.${product.node === 'gateway' ? 'gateway' : 'device'}({
  ${formatCredentials(product.productKey, '  ')},
  brokerUrl: '${brokerUrl}',
})
device.on('connect', () => {
${indentLines(generateDeviceCode(product))}
})`
  return `${importLine}// 子设备不直接连接，由网关代为登录。
const gateway = iot.gateway({
  ${formatCredentials('<网关的 ProductKey>', '  ').replaceAll("'<Device", "'<网关的 Device")},
  brokerUrl: '${brokerUrl}',
})
const sub = {
  ${formatCredentials(product.productKey, '  ')},
}
gateway.on('connect', () => {
  gateway.addTopo([sub], () => {
    const device = gateway.login(sub, () => {
${indentLines(indentLines(indentLines(generateDeviceCode(product))))}
    })
  })
})`
}
