import type { ProductControl } from './controlType'
import { functionsOf, type ThingFunction } from './modelDifference'
import type { DataType, FunctionKind, Param, ThingModel } from './thingModel'
import { accessText, callText, eventText, kindText, typeText } from './thingText'

/** A deviation of a product from its category. */
export type Departure = {
  kind: FunctionKind
  identifier: string
  name: string
  problem: string
  /** Model with the one-click fix applied; missing if a person has to decide. */
  mend?: { title: string; model: ThingModel }
}

const unitOf = (dataType: DataType) =>
  dataType.type === 'int' || dataType.type === 'float' || dataType.type === 'double'
    ? (dataType.specs.unit ?? '')
    : ''

/**
 * Compares a product with its category: missing required functions, and differences in kind, type, unit, access, call
 * type or event type, also of parameters, members and elements. `locked` types are not fixed, because devices in the
 * field already use them.
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

/**
 * Returns functions that the control types of a product require and its model lacks; a one-click fix copies each from a
 * source model that has it.
 */
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

type Differing<T = ThingFunction> = {
  problem: string
  changed: T
  /** The fix would change a data type that devices in the field use. */
  isType?: boolean
}
/** Adds a location to nested deviations and applies their fixes to the outer object. */
const inside = <T, U>(found: Differing<T>[], where: string, put: (changed: T) => U) =>
  found.map(({ problem, changed, isType }): Differing<U> => ({
    problem: where + problem,
    changed: put(changed),
    isType,
  }))

function differing(one: ThingFunction, wanted: ThingFunction): Differing[] {
  if (one.kind === 'properties' && wanted.kind === 'properties')
    return [
      ...inside(typesDiffering(one.dataType, wanted.dataType), '', (dataType) => ({
        ...one,
        dataType,
      })),
      // Read-write access satisfies a read-only standard.
      ...(one.accessMode === wanted.accessMode || one.accessMode === 'rw'
        ? []
        : [
            {
              problem: `应为${accessText[wanted.accessMode]}，现为${accessText[one.accessMode]}`,
              changed: { ...one, accessMode: wanted.accessMode },
            },
          ]),
    ]
  if (one.kind === 'services' && wanted.kind === 'services')
    return [
      ...(one.callType === wanted.callType
        ? []
        : [
            {
              problem: `应为${callText[wanted.callType]}调用，现为${callText[one.callType]}`,
              changed: { ...one, callType: wanted.callType },
            },
          ]),
      ...inside(paramsDiffering(one.inputData, wanted.inputData, '输入参数'), '', (inputData) => ({
        ...one,
        inputData,
      })),
      ...outputDiffering(one, wanted),
    ]
  if (one.kind === 'events' && wanted.kind === 'events')
    return [
      ...(one.type === wanted.type
        ? []
        : [
            {
              problem: `事件类型应为${eventText[wanted.type]}，现为${eventText[one.type]}`,
              changed: { ...one, type: wanted.type },
            },
          ]),
      ...outputDiffering(one, wanted),
    ]
  return []
}

const outputDiffering = <T extends { outputData: Param[] }>(one: T, { outputData: wanted }: T) =>
  inside(paramsDiffering(one.outputData, wanted, '输出参数'), '', (outputData) => ({
    ...one,
    outputData,
  }))

function typesDiffering(is: DataType, should: DataType): Differing<DataType>[] {
  if (is.type !== should.type)
    return [
      {
        problem: `类型应为${typeText[should.type]}，现为${typeText[is.type]}`,
        changed: should,
        isType: true,
      },
    ]
  if (is.type === 'struct' && should.type === 'struct')
    return inside(paramsDiffering(is.specs, should.specs, '成员'), '', (specs) => ({
      ...is,
      specs: specs as typeof is.specs,
    }))
  if (is.type === 'array' && should.type === 'array')
    return inside(typesDiffering(is.specs.item, should.specs.item), '元素的', (item) => ({
      ...is,
      specs: { ...is.specs, item: item as typeof is.specs.item },
    }))
  const unit = unitOf(should)
  if (unitOf(is) === unit) return []
  return [
    {
      problem: `单位应为 ${unit || '无'}，现为 ${unitOf(is) || '无'}`,
      changed: { ...is, specs: { ...specsOf(is), unit: unit || undefined } } as DataType,
    },
  ]
}

/** Finds missing parameters or members and those of another type or unit; additional ones are allowed. */
function paramsDiffering(mine: Param[], standard: Param[], what: string): Differing<Param[]>[] {
  return standard.flatMap((wanted): Differing<Param[]>[] => {
    const at = mine.findIndex(({ identifier }) => identifier === wanted.identifier)
    const one = mine[at]
    const called = `${what} ${wanted.identifier} `
    if (!one) return [{ problem: `缺少${called.trimEnd()}`, changed: [...mine, wanted] }]
    return inside(typesDiffering(one.dataType, wanted.dataType), called, (dataType) =>
      mine.with(at, { ...one, dataType }),
    )
  })
}

/** Returns the model with this function in place of the one with the same identifier, or appended. */
export function withFunction(model: ThingModel, { kind, ...one }: ThingFunction): ThingModel {
  const list = model[kind] as { identifier: string }[]
  const at = list.findIndex(({ identifier }) => identifier === one.identifier)
  return { ...model, [kind]: at < 0 ? [...list, one] : list.with(at, one) }
}
