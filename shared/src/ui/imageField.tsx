import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Upload from 'antd/es/upload'
import { useState } from 'react'
import { uploadPicture } from '../client/uploadPicture'
import { uploadLimits } from '../contract/platform/upload'
import type { UploadedFile, UploadPurpose } from '../contract/platform/upload.schema'
import { toFileUrl } from '../contract/platform/siteAddress'
import { useFeedback } from './feedback'
import { lazyDialog } from './lazyPart'
import { ignoreHandled } from '../client/call'

const PicturePreview = lazyDialog(() => import('./picturePreview'))

type Limits = { bytes: number; types: string[] }
type ImageFieldProps = {
  id?: string
  value?: string
  onChange?: (url: string) => void
  /** Purpose of the picture, which decides the required permission. */
  purpose: UploadPurpose
  /** The picture is saved at once after a choice, so a preview is always shown first. */
  isSavedAtOnce?: boolean
  /** Stricter limits than those of all uploads. */
  limits?: Limits
}

const formatTypes = (types: string[]) =>
  types.map((type) => type.replace(/^image\/|\+xml$/g, '').toUpperCase()).join('、')
const formatSize = (bytes: number) =>
  bytes < 1024 * 1024 ? `${bytes / 1024} KB` : `${bytes / 1024 / 1024} MB`

const cadHint = '不支持 CAD 图纸（DXF、DWG），请在 CAD 里把它导出为 SVG 再上传'
/** Returns why a file cannot be uploaded; undefined if it can. */
export const getImageRefusal = ({ name, type, size }: File, { types, bytes }: Limits) =>
  /\.(dxf|dwg)$/i.test(name)
    ? cadHint
    : !types.includes(type)
      ? `请选择 ${formatTypes(types)} 图片`
      : size > bytes
        ? `图片不能超过 ${formatSize(bytes)}`
        : undefined

/** Picture field. A new file is uploaded at once, and a preview is shown first if parts of it were removed. */
export function ImageField({
  id,
  value,
  onChange,
  purpose,
  isSavedAtOnce,
  limits = uploadLimits,
}: ImageFieldProps) {
  const { message } = useFeedback()
  const [progress, setProgress] = useState<number>()
  const [preview, setPreview] = useState<UploadedFile>()

  async function uploadFile(file: File) {
    const refusal = getImageRefusal(file, limits)
    if (refusal) return void message.error(refusal)
    setProgress(0)
    await uploadPicture(file, purpose, { onProgress: setProgress }).then(
      (picture) =>
        isSavedAtOnce || picture.omitted.length > 0 ? setPreview(picture) : onChange?.(picture.url),
      () => {},
    )
    setProgress(undefined)
  }

  return (
    <Flex gap={8} align="center">
      {value && (
        <img
          src={toFileUrl(value)}
          alt=""
          style={{ height: 32, maxWidth: 96, objectFit: 'contain' }}
        />
      )}
      <Upload
        id={id}
        accept={limits.types.join(',')}
        showUploadList={false}
        beforeUpload={(file) => (void uploadFile(file).catch(ignoreHandled), false)}
      >
        <Button loading={progress !== undefined}>
          {progress === undefined
            ? value
              ? '更换图片'
              : '上传图片'
            : `${Math.round(progress * 100)}%`}
        </Button>
      </Upload>
      {value && progress === undefined && (
        <Button type="text" onClick={() => onChange?.('')}>
          移除
        </Button>
      )}
      {preview && (
        <PicturePreview
          picture={preview}
          onUse={() => {
            onChange?.(preview.url)
            setPreview(undefined)
          }}
          onClose={() => setPreview(undefined)}
        />
      )}
    </Flex>
  )
}

/** @deprecated Use {@link getImageRefusal}; kept for remotes that were built before. */
export const refuseImage = getImageRefusal
