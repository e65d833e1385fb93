import Button from 'antd/es/button'
import Upload from 'antd/es/upload'
import { useRef } from 'react'
import { call, CallError } from '@iot/shared/client/call'
import { uploadPicture } from '@iot/shared/client/uploadPicture'
import type { RowResults } from '@iot/shared/contract/fields.schema'
import { iconApi } from '@iot/shared/contract/product/icon.api'
import { iconLimits } from '@iot/shared/contract/product/iconName'
import type { Batch } from '@iot/shared/ui/batch'
import { getImageRefusal } from '@iot/shared/ui/imageField'
import { Can } from '@iot/shared/ui/right'
import { createIconCode } from './iconCode'
import { ignoreHandled } from '@iot/shared/ui/batch'

type UploadIconsButtonProps = { batch: Batch; group: string }

/** Creates one icon per file, named after the file. */
export default function UploadIconsButton({ batch, group }: UploadIconsButtonProps) {
  const selectedFiles = useRef<File[]>([])
  const uploadSelected = async () => {
    const results: RowResults = []
    for (const file of selectedFiles.current) {
      const reason = await createIconFromFile(file, group)
      results.push({ id: file.name, name: file.name, ok: !reason, reason })
    }
    return results
  }
  return (
    <Can to={iconApi.create}>
      <FilePicker
        onPick={(files) => {
          selectedFiles.current = files
          const names = files.map(({ name }) => name)
          batch.run('上传', uploadSelected, names).catch(ignoreHandled)
        }}
      />
    </Can>
  )
}

type FilePickerProps = { disabled?: boolean; onPick: (files: File[]) => void }
/** Both components are disabled, because the upload frame accepts files and the button only shows the state. */
const FilePicker = ({ disabled, onPick }: FilePickerProps) => (
  <Upload
    multiple
    disabled={disabled}
    accept={iconLimits.types.join(',')}
    showUploadList={false}
    beforeUpload={(file, files) => {
      if (file === files.at(-1)) onPick(files)
      return false
    }}
  >
    <Button disabled={disabled}>上传多个</Button>
  </Upload>
)

/** Creates an icon from a file, and returns the reason if that is refused. */
async function createIconFromFile(file: File, group: string) {
  const fileRefusal = getImageRefusal(file, iconLimits)
  if (fileRefusal) return fileRefusal
  const name = file.name.replace(/\.\w+$/, '').slice(0, 64)
  try {
    const { url: pictureUrl, omitted } = await uploadPicture(file, 'icon', { quiet: true })
    // An icon that would lose content must be checked in the preview before it is saved.
    if (omitted.length > 0)
      return `有内容不能保留：${omitted.join('；')}。请点“新建图标”上传，看过预览再保存`
    const iconDefaults = { off: '', offline: '', fault: '', tags: [], status: 'enabled' as const }
    const code = createIconCode(name)
    await call(
      iconApi.create,
      { name, code, group, on: pictureUrl, ...iconDefaults },
      { quiet: true },
    )
    return undefined
  } catch (error) {
    if (error instanceof CallError) return error.message
    throw error
  }
}
