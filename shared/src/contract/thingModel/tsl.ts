import type { ThingModel, Param, DataType } from './thingModel.schema'
import type { Json } from '../json'
import { mergeExtra } from './tslExtra'
import { units } from './units'

/**
 * Writes a model as an Alibaba TSL file. Facts that TSL does not define are written under the platform's own names, if
 * they are set.
 */
export function toTsl(model: ThingModel, { productKey }: { productKey: string }): Json {
  const toTslParam = ({ identifier, name, dataType }: Param) => ({
    identifier,
    name,
    dataType: toTslType(dataType),
  })
  const readableProperties = model.properties.filter(({ accessMode }) => accessMode !== 'w')
  const writableProperties = model.properties.filter(({ accessMode }) => accessMode !== 'r')
  const tslFile = {
    schema: 'https://iotx-tsl.oss-ap-southeast-1.aliyuncs.com/schema.json',
    profile: { productKey },
    properties: model.properties.map(({ dataType, isHistory, isMonitor, extra, ...property }) =>
      mergeExtra(
        {
          ...property,
          dataType: toTslType(dataType),
          ...(!isHistory && { isHistory }),
          ...(!isMonitor && { isMonitor }),
        },
        extra,
      ),
    ),
    events: [
      {
        identifier: 'post',
        name: 'post',
        type: 'info',
        required: true,
        desc: '属性上报',
        method: 'thing.event.property.post',
        outputData: readableProperties.map(toTslParam),
      },
      ...model.events.map(({ outputData, extra, ...event }) =>
        mergeExtra(
          {
            ...event,
            method: `thing.event.${event.identifier}.post`,
            outputData: outputData.map(toTslParam),
          },
          extra,
        ),
      ),
    ],
    services: [
      {
        identifier: 'set',
        name: 'set',
        required: true,
        callType: 'async',
        desc: '属性设置',
        method: 'thing.service.property.set',
        inputData: writableProperties.map(toTslParam),
        outputData: [],
      },
      {
        identifier: 'get',
        name: 'get',
        required: true,
        callType: 'async',
        desc: '属性获取',
        method: 'thing.service.property.get',
        inputData: readableProperties.map(({ identifier }) => identifier),
        outputData: readableProperties.map(toTslParam),
      },
      ...model.services.map(({ inputData, outputData, extra, ...service }) =>
        mergeExtra(
          {
            ...service,
            method: `thing.service.${service.identifier}`,
            inputData: inputData.map(toTslParam),
            outputData: outputData.map(toTslParam),
          },
          extra,
        ),
      ),
    ],
  }
  return mergeExtra<Json>(tslFile, model.extra)
}

function toTslType(dataType: DataType): Json {
  const { type } = dataType
  switch (type) {
    case 'int':
    case 'float':
    case 'double': {
      const { unit, ...numbers } = dataType.specs
      const numberTexts = Object.entries(numbers).map(([name, value]) => [name, String(value)])
      const unitName = unit && units[unit]
      return {
        type,
        specs: {
          ...Object.fromEntries(numberTexts),
          ...(unit && { unit }),
          ...(unitName && { unitName }),
        },
      }
    }
    case 'bool':
    case 'enum':
      return { type, specs: dataType.specs }
    case 'text':
      return { type, specs: { length: String(dataType.specs.length) } }
    case 'date':
      return { type, specs: {} }
    case 'bitmap': {
      const highest = Math.max(...Object.keys(dataType.specs).map(Number))
      const max = String(2 ** (highest + 1) - 1)
      return { type: 'int', specs: { min: '0', max, step: '1', bits: dataType.specs } }
    }
    case 'struct':
      return {
        type,
        specs: dataType.specs.map((member) => ({
          ...member,
          dataType: toTslType(member.dataType),
        })),
      }
    case 'array': {
      const { size, item } = dataType.specs
      return { type, specs: { size: String(size), item: toTslType(item) } }
    }
  }
}
