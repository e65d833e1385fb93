import { isBuiltinIcon, isLibraryIcon } from '@iot/shared/contract/product/iconName'
import { uploadPath } from '@iot/shared/contract/platform/upload'
import { eq, inArray } from 'drizzle-orm'
import { icon as iconTable } from '../../tables/icon'
import { uploadedFile } from '../../tables/upload'
import type { Db } from '../db/db'
import { createFieldRefusal, createFieldsRefusal } from '../refusal'

/**
 * Refuses an icon that is neither built in nor in the library, and a picture that was not uploaded. Values that the
 * row already holds are accepted even if the icon or picture has been deleted since.
 * @throws Refusal that names the wrong fields
 */
export async function assertPicturesExist(tx: Db, draft: object, before: object = {}) {
  const currentValues = new Map(Object.entries(before))
  const changedFields = Object.entries(draft).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry[1] !== '' && currentValues.get(entry[0]) !== entry[1],
  )
  const icon = changedFields.find(([field]) => field === 'icon')?.[1]
  if (icon && !isBuiltinIcon(icon) && !(await isInLibrary(tx, icon)))
    throw createFieldRefusal('icon', '所选图标不存在或已被删除')
  const pictures = changedFields.filter(([, value]) => value.startsWith(`${uploadPath}/`))
  if (pictures.length === 0) return
  const toUploadId = (url: string) => url.slice(uploadPath.length + 1)
  const files = await tx
    .select({ id: uploadedFile.id })
    .from(uploadedFile)
    .where(
      inArray(
        uploadedFile.id,
        pictures.map(([, url]) => toUploadId(url)),
      ),
    )
  const existingIds = new Set(files.map(({ id }) => id))
  const missingPictures = pictures.filter(([, url]) => !existingIds.has(toUploadId(url)))
  if (missingPictures.length > 0)
    throw createFieldsRefusal(
      Object.fromEntries(missingPictures.map(([field]) => [field, '图片不存在，请重新上传'])),
    )
}

const isInLibrary = async (tx: Db, id: string) =>
  isLibraryIcon(id) && (await tx.$count(iconTable, eq(iconTable.id, id))) > 0
