import { uploadPath, type UploadedFile, type UploadPurpose } from '../contract/upload'
import { CallError, page, upload } from './call'

type UploadOptions = {
  onProgress?: (part: number) => void
  /** The caller shows every failure itself. */
  quiet?: boolean
}

/** Uploads a picture for a screen; rejects with a CallError, also where less than the file arrived. */
export async function uploadPicture(
  file: File,
  purpose: UploadPurpose,
  { onProgress, quiet }: UploadOptions = {},
): Promise<UploadedFile> {
  const path = `${uploadPath}?purpose=${purpose}`
  const uploaded = await upload<UploadedFile>(path, file, onProgress, { quiet })
  if (uploaded.received === file.size) return uploaded
  const text = '图片没有传完整，请重新上传'
  if (!quiet) page.showError(text)
  throw new CallError(text)
}
