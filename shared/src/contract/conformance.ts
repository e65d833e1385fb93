import type { ProductControl } from './controlType'
import { functionsOf, type ThingFunction } from './modelDifference'
import type { DataType, FunctionKind, ThingModel } from './thingModel'
import { accessText, callText, eventText, kindText, typeText } from './thingText'

/** Where a product departs from its category. */
export type Departure = {
  kind: FunctionKind
  identifier: string
  name: string
  problem: string
  /** What one press makes of the model; none where a person has to decide. */
  mend?: { title: string; model: ThingModel }
}

const unitOf = (dataType: DataType) =>
  dataType.type === 'int' || dataType.type === 'float' || dataType.type === 'double'
    ? (dataType.specs.unit ?? '')
    : ''

/**
 * What a product lacks of its category's functions or has otherwise: required ones that are missing, another kind, type,
 * unit, access, way of calling, or sort of event. `locked`: types stand, because devices in the field speak them.
 */
export function departures(own: ThingModel, standard: ThingModel, locked: boolean): Departure[] {
  const mine = functionsOf(own)
  return functionsOf(standard).flatMap((wanted): Departure[] => {
    const { kind, identifier, name } = wanted
    const about = { kind, identifier, name }
    const one = mine.find((mine) => mine.identifier === identifier)
    if (!one) {
      if (!wanted.required) return []
      return [
        {
          ...about,
          problem: `缺少必选${kindText[kind]}`,
          mend: { title: '添加', model: withFunction(own, wanted) },
        },
      ]
    }
    if (one.kind !== kind)
      return [{ ...about, problem: `应为${kindText[kind]}，现为${kindText[one.kind]}` }]
    return differing(one, wanted).map(({ problem, changed, isType }) => ({
      ...about,
      problem,
      ...(!(locked && isType) && {
        mend: { title: '改为标准', model: withFunction(own, changed) },
      }),
    }))
  })
}

/** Functions that the control types of a product need and its model lacks; one press takes them from where they are. */
export const lacking = (
  own: ThingModel,
  controls: readonly ProductControl[],
  sources: readonly ThingModel[],
): Departure[] =>
  controls.flatMap(({ name: control, functions }) =>
    missingOf(own, functions).map((identifier): Departure => {
      const from = sources
        .flatMap(functionsOf)
        .find((one) => one.identifier === identifier && one.kind === 'properties')
      return {
        kind: 'properties',
        identifier,
        name: from?.name ?? '',
        problem: `缺少控制类型“${control}”的必备功能`,
        ...(from && { mend: { title: '添加', model: withFunction(own, from) } }),
      }
    }),
  )

export function missingOf(own: ThingModel, identifiers: readonly string[]) {
  const has = new Set(functionsOf(own).map(({ identifier }) => identifier))
  return identifiers.filter((identifier) => !has.has(identifier))
}

const specsOf = (dataType: DataType) => ('specs' in dataType ? dataType.specs : {})

type Differing = { problem: string; changed: ThingFunction; isType?: boolean }

function differing(one: ThingFunction, wanted: ThingFunction): Differing[] {
  if (one.kind === 'properties' && wanted.kind === 'properties') {
    const [is, should] = [one.dataType, wanted.dataType]
    if (is.type !== should.type)
      return [
        {
          problem: `类型应为${typeText[should.type]}，现为${typeText[is.type]}`,
          changed: { ...one, dataType: should },
          isType: true,
        },
      ]
    const unit = unitOf(should)
    return [
      ...(unitOf(is) === unit
        ? []
        : [
            {
              problem: `单位应为 ${unit || '无'}，现为 ${unitOf(is) || '无'}`,
              changed: {
                ...one,
                dataType: { ...is, specs: { ...specsOf(is), unit: unit || undefined } } as DataType,
              },
            },
          ]),
      // To be read and written is more than to be read.
      ...(one.accessMode === wanted.accessMode || one.accessMode === 'rw'
        ? []
        : [
            {
              problem: `应为${accessText[wanted.accessMode]}，现为${accessText[one.accessMode]}`,
              changed: { ...one, accessMode: wanted.accessMode },
            },
          ]),
    ]
  }
  if (one.kind === 'services' && wanted.kind === 'services' && one.callType !== wanted.callType)
    return [
      {
        problem: `应为${callText[wanted.callType]}调用，现为${callText[one.callType]}`,
        changed: { ...one, callType: wanted.callType },
      },
    ]
  if (one.kind === 'events' && wanted.kind === 'events' && one.type !== wanted.type)
    return [
      {
        problem: `事件类型应为${eventText[wanted.type]}，现为${eventText[one.type]}`,
        changed: { ...one, type: wanted.type },
      },
    ]
  return []
}

/** The model with this function in the place of the one that has its identifier, or at the end. */
export function withFunction(model: ThingModel, { kind, ...one }: ThingFunction): ThingModel {
  const list = model[kind] as { identifier: string }[]
  const at = list.findIndex(({ identifier }) => identifier === one.identifier)
  return { ...model, [kind]: at < 0 ? [...list, one] : list.with(at, one) }
}
