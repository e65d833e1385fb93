import { CallError } from '@iot/shared/client/call'
import { codes } from '@iot/shared/contract/endpoint'
import type { ProductControl } from '@iot/shared/contract/controlType'
import type { ThingModel } from '@iot/shared/contract/thingModel'

/** Whatever carries a thing model: a category with its draft, a product. */
export type Carrier = {
  id: string
  version: number
  updateBy: string
  updateTime: string
  model: ThingModel
}
export type ModelChange = (model: ThingModel) => ThingModel

/** What the editor is given to work on. */
export type Editing = {
  carrier: Carrier
  /** Makes a change of the model as it now stands, and keeps it; nothing where it was refused. */
  change: (make: ModelChange) => Promise<unknown>
  /** Sends a whole model in place of the version that was read; a version conflict is the caller's. */
  send: (revision: Pick<Carrier, 'id' | 'version'>, model: ThingModel) => Promise<Carrier>
  /** Why nothing may be changed. */
  refusal: string | undefined
  /** Functions that devices in the field speak: they stay, with identifier and type. */
  locked: ReadonlySet<string>
  /** Of a product: its control types say how a property is set. */
  controls?: ProductControl[]
  /** Where its files are fetched, less `.json` and `.xlsx`. */
  files: string
}

/** The row as it stands, of an answer that a colleague was first. */
export const newerOf = (error: unknown) =>
  error instanceof CallError && error.code === codes.version
    ? (error.data as { current: Carrier }).current
    : undefined
