import { z } from 'zod'

/**
 * `POST /v1/upload/file?purpose=`: multipart, field `file`; at most 5 MB; svg, png, jpeg, webp. Served back under `url`.
 * Asks for a right to save what the file is for; without a purpose, for one of these rights.
 */
export const uploadPath = '/v1/upload/file'
export const UploadPurpose = z.enum(['icon', 'brand', 'manufacturer', 'product', 'plan'])
export type UploadPurpose = z.infer<typeof UploadPurpose>
export const uploadLimits = {
  bytes: 5 * 1024 * 1024,
  /** Of a picture: whoever shows it needs four bytes for each. */
  side: 8192,
  pixels: 25_000_000,
  /** Of one user within 24 hours. */
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
  /** Bytes that arrived, to be compared with those of the file. */
  received: z.number().int(),
  /** What of a drawing was left out, each a phrase in Chinese; empty where all was kept. */
  omitted: z.array(z.string()),
})
export type UploadedFile = z.infer<typeof UploadedFile>
