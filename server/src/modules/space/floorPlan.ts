import { planMimeTypes } from '@iot/shared/contract/project/space'
import { imageSize } from 'image-size'
import { createFieldRefusal } from '../../core/refusal'
import type { uploadedFile } from '../../tables/upload'

/**
 * Returns the shape of an uploaded picture as a floor plan; a picture without a size is refused, because it has no
 * scale.
 */
export function parseFloorPlan(file: typeof uploadedFile.$inferSelect | undefined) {
  if (!file) throw createFieldRefusal('picture', '图片不存在，请重新上传')
  if (!planMimeTypes.includes(file.type))
    throw createFieldRefusal('picture', '平面图只支持 SVG、PNG 和 JPEG')
  try {
    const { width: rawWidth, height: rawHeight, orientation = 1 } = imageSize(file.content)
    // Browsers rotate a photo by its EXIF orientation; values 5 to 8 are quarter turns and swap width and height.
    const [width, height] = orientation >= 5 ? [rawHeight, rawWidth] : [rawWidth, rawHeight]
    if (width && height)
      return {
        planFile: file.id,
        planHash: null,
        planWidth: Math.round(width),
        planHeight: Math.round(height),
      }
  } catch {
    // An unreadable file is reported by the error below.
  }
  throw createFieldRefusal('picture', '图片没有宽和高，SVG 须有 viewBox 或 width 和 height')
}
