import type { z } from 'zod'
import { call } from '../../client/call'
import { pickInputFields, type Endpoint, type Input, type Output } from '../../contract/endpoint'

export type Revision = { id: string; version: number }
export type SaveOptions = { handles: number[]; press?: string }
export type SaveCall<D> = (
  draft: D,
  revision: Revision | undefined,
  options: SaveOptions,
) => Promise<unknown>

/**
 * Creates a record or updates a stored one. It sends the fields of the draft schemas alone, because endpoints have no
 * input schema in the browser.
 * @example <FormDialog send={createSaveCall(brandApi, BrandDraft)} … />
 */
export const createSaveCall = <C extends Endpoint, U extends Endpoint>(
  { create, update }: { create: C; update: U },
  draftSchema: z.ZodObject,
  changeSchema = draftSchema,
) =>
  Object.assign(
    (
      draft: object,
      revision: Revision | undefined,
      options: SaveOptions,
    ): Promise<Output<C> | Output<U>> =>
      revision
        ? call(
            update,
            { ...pickInputFields(changeSchema, draft), ...revision } as Input<U>,
            options,
          )
        : call(create, pickInputFields(draftSchema, draft) as Input<C>, options),
    { create, update },
  )
