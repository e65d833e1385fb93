import { uploadPath } from '../contract/platform/upload'
import type { UploadedFile, UploadPurpose } from '../contract/platform/upload.schema'
import { CallError, failureHandlers, upload } from './call'

type UploadOptions = {
  onProgress?: (part: number) => void
  /** The caller shows every failure itself. */
  quiet?: boolean
}

/**
 * Uploads a picture.
 * @throws CallError if the upload fails or the server received less than the file
 */
export async function uploadPicture(
  file: File,
  purpose: UploadPurpose,
  { onProgress, quiet }: UploadOptions = {},
): Promise<UploadedFile> {
  const path = `${uploadPath}?purpose=${purpose}`
  const uploadedFile = await upload<UploadedFile>(path, file, onProgress, { quiet })
  if (uploadedFile.received === file.size) return uploadedFile
  const text = '图片没有传完整，请重新上传'
  if (!quiet) failureHandlers.showError(text)
  throw new CallError(text)
}
