import * as z from '../zod'

export const UploadPurpose = z.enum([
  'icon',
  'brand',
  'manufacturer',
  'product',
  'plan',
  'platform',
])
export type UploadPurpose = z.infer<typeof UploadPurpose>
export const UploadedFile = z.object({
  id: z.string(),
  url: z.string(),
  name: z.string(),
  size: z.number().int(),
  type: z.string(),
  /** The client compares the received bytes with the size of the file. */
  received: z.number().int(),
  /** Removed parts of an SVG, each as a Chinese phrase; empty if all was kept. */
  omitted: z.array(z.string()),
})
export type UploadedFile = z.infer<typeof UploadedFile>
