import type { KnownDevice } from '../directory'

/** Extra fields of an imported TSL file are kept for export and not sent to devices. */
const omitExtra = <T extends { extra?: unknown }>({ extra: _, ...one }: T) => one

/**
 * Builds the thing model in Alibaba's TSL format, with the method names and the three built-in methods of the protocol.
 */
export function buildTsl({ productKey, deviceName, model }: KnownDevice) {
  const properties = model.properties.map(omitExtra)
  const events = model.events.map(omitExtra)
  const services = model.services.map(omitExtra)
  const valueFields = properties.map(({ identifier, name, dataType }) => ({
    identifier,
    name,
    dataType,
  }))
  return {
    schema: 'https://iotx-tsl.oss-ap-southeast-1.aliyuncs.com/schema.json',
    link: `/sys/${productKey}/${deviceName}/thing/`,
    profile: { productKey, deviceName },
    properties,
    events: [
      {
        identifier: 'post',
        name: 'post',
        type: 'info',
        required: true,
        method: 'thing.event.property.post',
        outputData: valueFields,
      },
      ...events.map((event) => ({ ...event, method: `thing.event.${event.identifier}.post` })),
    ],
    services: [
      {
        identifier: 'set',
        name: 'set',
        required: true,
        callType: 'async',
        method: 'thing.service.property.set',
        inputData: valueFields.filter((_, index) => properties[index]!.accessMode !== 'r'),
        outputData: [],
      },
      {
        identifier: 'get',
        name: 'get',
        required: true,
        callType: 'async',
        method: 'thing.service.property.get',
        inputData: properties.map(({ identifier }) => identifier),
        outputData: valueFields,
      },
      ...services.map((service) => ({ ...service, method: `thing.service.${service.identifier}` })),
    ],
  }
}
