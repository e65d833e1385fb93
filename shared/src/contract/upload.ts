import { z } from 'zod'

/**
 * `POST /v1/upload/file?purpose=` takes multipart data with the field `file`: at most 5 MB of svg, png, jpeg or webp.
 * The file is served under `url`. The caller needs a permission to save what the file is for; without a purpose, any of
 * these permissions.
 */
export const uploadPath = '/v1/upload/file'
export const UploadPurpose = z.enum([
  'icon',
  'brand',
  'manufacturer',
  'product',
  'plan',
  'platform',
])
export type UploadPurpose = z.infer<typeof UploadPurpose>
export const uploadLimits = {
  bytes: 5 * 1024 * 1024,
  /** Pixel limits of a picture, because each displayed pixel takes four bytes of memory. */
  side: 8192,
  pixels: 25_000_000,
  /** One user may upload this much within 24 hours. */
  files: 200,
  total: 100 * 1024 * 1024,
  types: ['image/svg+xml', 'image/png', 'image/jpeg', 'image/webp'],
}
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
