import * as z from '../zod'
import {
  row,
  nameField,
  codeField,
  Description,
  Status,
  revision,
  SearchFilter,
} from '../fields.schema'
import { rowKeys } from '../fields'
import { resourceSchemas } from '../resource.schema'
import { controlTypeTitles } from './controlType'

/** The capability says what a device of this control type can do. */
export const Capability = z
  .enum(['SWITCH', 'DIM', 'TW', 'RGB', 'RGBW', 'CURTAIN', 'HVAC', 'SENSOR', 'SCENE_PANEL'])
  .meta({ title: controlTypeTitles.capability })
export type Capability = z.infer<typeof Capability>
/** Input element that an operator uses. */
export const Widget = z
  .enum(['switch', 'slider', 'color', 'number', 'buttons', 'value'])
  .meta({ title: controlTypeTitles.widget })
export type Widget = z.infer<typeof Widget>

export const ControlType = z.object({
  ...row,
  name: nameField(controlTypeTitles.name),
  code: codeField(controlTypeTitles.code),
  capability: Capability,
  /** Identifiers that the model of a product with this type must contain. */
  functions: z
    .array(
      z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, '标识符以字母开头，只用字母、数字和下划线')
        .max(64),
    )
    .max(50, '必备功能最多 50 个')
    .refine((all) => new Set(all).size === all.length, '标识符重复')
    .meta({ title: controlTypeTitles.functions }),
  widget: Widget,
  description: Description,
  status: Status,
})
export type ControlType = z.infer<typeof ControlType>
export const ControlTypeDraft = ControlType.omit(rowKeys)
export type ControlTypeDraft = z.infer<typeof ControlTypeDraft>
/** The code never changes after creation. */
export const ControlTypeChange = ControlTypeDraft.omit({ code: true }).extend(revision)

/** A product embeds these fields of a control type. */
export const ProductControl = ControlType.pick({
  code: true,
  name: true,
  functions: true,
  widget: true,
})
export type ProductControl = z.infer<typeof ProductControl>
const filters = {
  name: SearchFilter.optional(),
  capability: Capability.optional(),
  status: Status.optional(),
}

export const controlTypeSchemas = {
  page: resourceSchemas.page({ input: filters, output: ControlType }),
  list: resourceSchemas.options({
    output: ControlType.pick({ id: true, name: true, code: true, functions: true, status: true }),
  }),
  create: resourceSchemas.create({ input: ControlTypeDraft, output: ControlType }),
  update: resourceSchemas.update({ input: ControlTypeChange, output: ControlType }),
  remove: resourceSchemas.remove(),
  setStatus: resourceSchemas.setStatus(),
  removeMany: resourceSchemas.removeMany(),
  exportRows: resourceSchemas.exportRows({ input: filters }),
  importRows: resourceSchemas.importRows(),
}
