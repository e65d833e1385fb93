import { App, Button, Flex, Upload } from 'antd'
import { useState } from 'react'
import { upload } from '../client/call'
import { uploadLimits, uploadPath, type UploadedFile } from '../contract/upload'

type ImageFieldProps = { id?: string; value?: string; onChange?: (url: string) => void }

/** A picture by its address; a new one is uploaded at once. */
export function ImageField({ id, value, onChange }: ImageFieldProps) {
  const { message } = App.useApp()
  const [progress, setProgress] = useState<number>()

  async function send(file: File) {
    if (!uploadLimits.types.includes(file.type))
      return void message.error('请选择 SVG、PNG、JPEG 或 WebP 图片')
    if (file.size > uploadLimits.bytes) return void message.error('图片不能超过 5 MB')
    setProgress(0)
    await upload<UploadedFile>(uploadPath, file, setProgress).then(
      ({ url }) => onChange?.(url),
      () => {},
    )
    setProgress(undefined)
  }

  return (
    <Flex gap={8} align="center">
      {value && (
        <img src={value} alt="" style={{ height: 32, maxWidth: 96, objectFit: 'contain' }} />
      )}
      <Upload
        id={id}
        accept={uploadLimits.types.join(',')}
        showUploadList={false}
        beforeUpload={(file) => (void send(file), false)}
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
    </Flex>
  )
}
