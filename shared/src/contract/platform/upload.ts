/**
 * `POST /v1/upload/file?purpose=` takes multipart data with the field `file`: at most 5 MB of svg, png, jpeg or webp.
 * The file is served under `url`. The caller needs a permission to save what the file is for; without a purpose, any of
 * these permissions.
 */
export const uploadPath = '/v1/upload/file'
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
