import type { uploadLimits } from '@iot/shared/contract/platform/upload'

export type ExaminedPicture = {
  type: string
  content: Buffer
  /** Parts of a drawing that were removed, each as a phrase for the user who uploads it. */
  omitted: string[]
}
export type ExaminationResult = { refusal: string } | ExaminedPicture

/** Returns why a file is refused, or what is stored of it. */
export function examine(content: Buffer, limits: typeof uploadLimits): Promise<ExaminationResult>
