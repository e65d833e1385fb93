import { Button, Upload } from 'antd'
import { useRef } from 'react'
import { call, CallError } from '@iot/shared/client/call'
import { uploadPicture } from '@iot/shared/client/uploadPicture'
import type { PerRow } from '@iot/shared/contract/fields'
import { iconApi } from '@iot/shared/contract/icon'
import { iconLimits } from '@iot/shared/contract/iconName'
import type { Batch } from '@iot/shared/ui/batch'
import { refuseImage } from '@iot/shared/ui/imageField'
import { Right } from '@iot/shared/ui/right'
import { codeOfFile } from './codeOfFile'

type UploadManyProps = { batch: Batch; group: string }

/** Creates one icon per file, named after the file. */
export function UploadMany({ batch, group }: UploadManyProps) {
  const input = useRef<File[]>([])
  const send = async () => {
    const results: PerRow = []
    for (const file of input.current) {
      const reason = await create(file, group)
      results.push({ id: file.name, name: file.name, ok: !reason, reason })
    }
    return results
  }
  return (
    <Right to={iconApi.create}>
      <Picker
        onPick={(files) => {
          input.current = files
          void batch.run(
            '上传',
            send,
            files.map(({ name }) => name),
          )
        }}
      />
    </Right>
  )
}

type PickerProps = { disabled?: boolean; onPick: (files: File[]) => void }
/** Both components are disabled, because the upload frame accepts files and the button only shows the state. */
const Picker = ({ disabled, onPick }: PickerProps) => (
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
async function create(file: File, group: string) {
  const why = refuseImage(file, iconLimits)
  if (why) return why
  const name = file.name.replace(/\.\w+$/, '').slice(0, 64)
  try {
    const { url: on, omitted } = await uploadPicture(file, 'icon', { quiet: true })
    // An icon that would lose content must be checked in the preview before it is saved.
    if (omitted.length > 0)
      return `有内容不能保留：${omitted.join('；')}。请点“新建图标”上传，看过预览再保存`
    const rest = { off: '', offline: '', fault: '', tags: [], status: 'enabled' as const }
    const code = codeOfFile(name)
    await call(iconApi.create, { name, code, group, on, ...rest }, { quiet: true })
    return undefined
  } catch (error) {
    if (error instanceof CallError) return error.message
    throw error
  }
}
