import { isBuiltinIcon, isLibraryIcon } from '@iot/shared/contract/iconName'
import { uploadPath } from '@iot/shared/contract/upload'
import { eq, inArray } from 'drizzle-orm'
import { icon as iconTable } from '../../tables/icon'
import { uploadedFile } from '../../tables/upload'
import type { Db } from '../db/db'
import { wrongField, wrongFields } from '../refusal'

/**
 * Refuses an icon that is neither built in nor in the library, and a picture that was not uploaded. Values that the
 * row already holds are accepted even if the icon or picture has been deleted since.
 * @throws Refusal that names the wrong fields
 */
export async function mustHavePictures(tx: Db, draft: object, before: object = {}) {
  const held = new Map(Object.entries(before))
  const changed = Object.entries(draft).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry[1] !== '' && held.get(entry[0]) !== entry[1],
  )
  const icon = changed.find(([field]) => field === 'icon')?.[1]
  if (icon && !isBuiltinIcon(icon) && !(await isInLibrary(tx, icon)))
    throw wrongField('icon', '所选图标不存在或已被删除')
  const pictures = changed.filter(([, value]) => value.startsWith(`${uploadPath}/`))
  if (pictures.length === 0) return
  const idOf = (url: string) => url.slice(uploadPath.length + 1)
  const files = await tx
    .select({ id: uploadedFile.id })
    .from(uploadedFile)
    .where(
      inArray(
        uploadedFile.id,
        pictures.map(([, url]) => idOf(url)),
      ),
    )
  const known = new Set(files.map(({ id }) => id))
  const lost = pictures.filter(([, url]) => !known.has(idOf(url)))
  if (lost.length > 0)
    throw wrongFields(Object.fromEntries(lost.map(([field]) => [field, '图片不存在，请重新上传'])))
}

const isInLibrary = async (tx: Db, id: string) =>
  isLibraryIcon(id) && (await tx.$count(iconTable, eq(iconTable.id, id))) > 0
