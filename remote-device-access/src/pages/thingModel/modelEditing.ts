import { CallError } from '@iot/shared/client/call'
import { responseCodes } from '@iot/shared/contract/endpoint'
import type { ProductControl } from '@iot/shared/contract/product/controlType.schema'
import type { ThingFunction } from '@iot/shared/contract/thingModel/modelDifference'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'

/** A category with its draft and a product both carry a thing model. */
export type ModelOwner = {
  id: string
  version: number
  updateBy: string
  updateTime: string
  model: ThingModel
}
export type ModelChange = (model: ThingModel) => ThingModel

export type ModelEditing = {
  carrier: ModelOwner
  /** Applies a change to the latest model and saves it; it resolves to `undefined` if that was refused. */
  change: (applyChange: ModelChange) => Promise<unknown>
  /** Replaces the model of the given version; the caller handles a version conflict. */
  send: (revision: Pick<ModelOwner, 'id' | 'version'>, model: ThingModel) => Promise<ModelOwner>
  /** The model cannot be changed for this reason. */
  refusal: string | undefined
  /** Deployed devices use these functions, so their identifier and type cannot be changed. */
  locked: ReadonlySet<string>
  /** Asks before a function is deprecated, because devices and rules may use it; absent where nothing is in use yet. */
  confirmDeprecation?: (thingFunction: ThingFunction) => void
  /** Control types of a product decide how a property is set. */
  controls?: ProductControl[]
  /** The model is downloaded from this address with the suffix `.json` or `.xlsx`. */
  files: string
}

/** Returns the current row from a version conflict error. */
export const getNewerOwner = (error: unknown) =>
  error instanceof CallError && error.code === responseCodes.version
    ? (error.data as { current: ModelOwner }).current
    : undefined
