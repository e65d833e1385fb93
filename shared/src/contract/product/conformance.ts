import type { ProductControl } from './controlType.schema'
import { listFunctions, type ThingFunction } from '../thingModel/modelDifference'
import type { FunctionKind } from '../thingModel/thingModel'
import type { DataType, Param, ThingModel } from '../thingModel/thingModel.schema'
import { accessText, callText, eventText, kindText, typeText } from '../thingModel/thingText'

/** A deviation of a product from its category. */
export type ModelDeviation = {
  kind: FunctionKind
  identifier: string
  name: string
  problem: string
  /** Model with the one-click fix applied; missing if a person has to decide. */
  fix?: { title: string; model: ThingModel }
}

const getUnit = (dataType: DataType) =>
  dataType.type === 'int' || dataType.type === 'float' || dataType.type === 'double'
    ? (dataType.specs.unit ?? '')
    : ''

/**
 * Compares a product with its category: missing required functions, and differences in kind, type, unit, access, call
 * type or event type, also of parameters, members and elements. `hasLockedTypes` types are not fixed, because devices in the
 * field already use them.
 */
export function findDeviations(
  ownModel: ThingModel,
  standardModel: ThingModel,
  hasLockedTypes: boolean,
): ModelDeviation[] {
  const ownFunctions = listFunctions(ownModel)
  return listFunctions(standardModel).flatMap((standardFunction): ModelDeviation[] => {
    const { kind, identifier, name } = standardFunction
    const functionIdentity = { kind, identifier, name }
    const ownFunction = ownFunctions.find((ownFunction) => ownFunction.identifier === identifier)
    if (!ownFunction) {
      if (!standardFunction.required) return []
      return [
        {
          ...functionIdentity,
          problem: `缺少必选${kindText[kind]}`,
          fix: { title: '添加', model: upsertFunction(ownModel, standardFunction) },
        },
      ]
    }
    if (ownFunction.kind !== kind)
      return [
        {
          ...functionIdentity,
          problem: `应为${kindText[kind]}，现为${kindText[ownFunction.kind]}`,
        },
      ]
    return findFunctionMismatches(ownFunction, standardFunction).map(
      ({ problem, fixedValue, isType }) => ({
        ...functionIdentity,
        problem,
        ...(!(hasLockedTypes && isType) && {
          fix: { title: '改为标准', model: upsertFunction(ownModel, fixedValue) },
        }),
      }),
    )
  })
}

/**
 * Returns functions that the control types of a product require and its model lacks; a one-click fix copies each from a
 * source model that has it.
 */
export const findMissingControlFunctions = (
  ownModel: ThingModel,
  controls: readonly ProductControl[],
  sourceModels: readonly ThingModel[],
): ModelDeviation[] =>
  controls.flatMap(({ name: control, functions }) =>
    listMissingFunctions(ownModel, functions).map((identifier): ModelDeviation => {
      const sourceFunction = sourceModels
        .flatMap(listFunctions)
        .find((candidate) => candidate.identifier === identifier && candidate.kind === 'properties')
      return {
        kind: 'properties',
        identifier,
        name: sourceFunction?.name ?? '',
        problem: `缺少控制类型“${control}”的必备功能`,
        ...(sourceFunction && {
          fix: { title: '添加', model: upsertFunction(ownModel, sourceFunction) },
        }),
      }
    }),
  )

export function listMissingFunctions(ownModel: ThingModel, identifiers: readonly string[]) {
  const ownIdentifiers = new Set(listFunctions(ownModel).map(({ identifier }) => identifier))
  return identifiers.filter((identifier) => !ownIdentifiers.has(identifier))
}

const getSpecs = (dataType: DataType) => ('specs' in dataType ? dataType.specs : {})

type Mismatch<T = ThingFunction> = {
  problem: string
  fixedValue: T
  /** The fix would change a data type that devices in the field use. */
  isType?: boolean
}
/** Adds a location to nested deviations and applies their fixes to the outer object. */
const nestMismatches = <T, U>(
  mismatches: Mismatch<T>[],
  location: string,
  applyFix: (innerValue: T) => U,
) =>
  mismatches.map(({ problem, fixedValue, isType }): Mismatch<U> => ({
    problem: location + problem,
    fixedValue: applyFix(fixedValue),
    isType,
  }))

function findFunctionMismatches(
  ownFunction: ThingFunction,
  standardFunction: ThingFunction,
): Mismatch[] {
  if (ownFunction.kind === 'properties' && standardFunction.kind === 'properties')
    return [
      ...nestMismatches(
        findTypeMismatches(ownFunction.dataType, standardFunction.dataType),
        '',
        (dataType) => ({
          ...ownFunction,
          dataType,
        }),
      ),
      // Read-write access satisfies a read-only standard.
      ...(ownFunction.accessMode === standardFunction.accessMode || ownFunction.accessMode === 'rw'
        ? []
        : [
            {
              problem: `应为${accessText[standardFunction.accessMode]}，现为${accessText[ownFunction.accessMode]}`,
              fixedValue: { ...ownFunction, accessMode: standardFunction.accessMode },
            },
          ]),
    ]
  if (ownFunction.kind === 'services' && standardFunction.kind === 'services')
    return [
      ...(ownFunction.callType === standardFunction.callType
        ? []
        : [
            {
              problem: `应为${callText[standardFunction.callType]}调用，现为${callText[ownFunction.callType]}`,
              fixedValue: { ...ownFunction, callType: standardFunction.callType },
            },
          ]),
      ...nestMismatches(
        findParamMismatches(ownFunction.inputData, standardFunction.inputData, '输入参数'),
        '',
        (inputData) => ({
          ...ownFunction,
          inputData,
        }),
      ),
      ...findOutputMismatches(ownFunction, standardFunction),
    ]
  if (ownFunction.kind === 'events' && standardFunction.kind === 'events')
    return [
      ...(ownFunction.type === standardFunction.type
        ? []
        : [
            {
              problem: `事件类型应为${eventText[standardFunction.type]}，现为${eventText[ownFunction.type]}`,
              fixedValue: { ...ownFunction, type: standardFunction.type },
            },
          ]),
      ...findOutputMismatches(ownFunction, standardFunction),
    ]
  return []
}

const findOutputMismatches = <T extends { outputData: Param[] }>(
  ownOutput: T,
  { outputData: standardOutput }: T,
) =>
  nestMismatches(
    findParamMismatches(ownOutput.outputData, standardOutput, '输出参数'),
    '',
    (outputData) => ({
      ...ownOutput,
      outputData,
    }),
  )

function findTypeMismatches(ownType: DataType, standardType: DataType): Mismatch<DataType>[] {
  if (ownType.type !== standardType.type)
    return [
      {
        problem: `类型应为${typeText[standardType.type]}，现为${typeText[ownType.type]}`,
        fixedValue: standardType,
        isType: true,
      },
    ]
  if (ownType.type === 'struct' && standardType.type === 'struct')
    return nestMismatches(
      findParamMismatches(ownType.specs, standardType.specs, '成员'),
      '',
      (specs) => ({
        ...ownType,
        specs: specs as typeof ownType.specs,
      }),
    )
  if (ownType.type === 'array' && standardType.type === 'array')
    return nestMismatches(
      findTypeMismatches(ownType.specs.item, standardType.specs.item),
      '元素的',
      (item) => ({
        ...ownType,
        specs: { ...ownType.specs, item: item as typeof ownType.specs.item },
      }),
    )
  const unit = getUnit(standardType)
  if (getUnit(ownType) === unit) return []
  return [
    {
      problem: `单位应为 ${unit || '无'}，现为 ${getUnit(ownType) || '无'}`,
      fixedValue: {
        ...ownType,
        specs: { ...getSpecs(ownType), unit: unit || undefined },
      } as DataType,
    },
  ]
}

/** Finds missing parameters or members and those of another type or unit; additional ones are allowed. */
function findParamMismatches(
  ownParams: Param[],
  standardParams: Param[],
  paramLabel: string,
): Mismatch<Param[]>[] {
  return standardParams.flatMap((standardParam): Mismatch<Param[]>[] => {
    const ownIndex = ownParams.findIndex(
      ({ identifier }) => identifier === standardParam.identifier,
    )
    const ownParam = ownParams[ownIndex]
    const location = `${paramLabel} ${standardParam.identifier} `
    if (!ownParam)
      return [{ problem: `缺少${location.trimEnd()}`, fixedValue: [...ownParams, standardParam] }]
    return nestMismatches(
      findTypeMismatches(ownParam.dataType, standardParam.dataType),
      location,
      (dataType) => ownParams.with(ownIndex, { ...ownParam, dataType }),
    )
  })
}

/** Returns the model with this function in place of the one with the same identifier, or appended. */
export function upsertFunction(
  model: ThingModel,
  { kind, ...replacement }: ThingFunction,
): ThingModel {
  const list = model[kind] as { identifier: string }[]
  const index = list.findIndex(({ identifier }) => identifier === replacement.identifier)
  return { ...model, [kind]: index < 0 ? [...list, replacement] : list.with(index, replacement) }
}
