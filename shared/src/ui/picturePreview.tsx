import Alert from 'antd/es/alert'
import Modal from 'antd/es/modal'
import { toFileUrl } from '../contract/platform/siteAddress'
import type { UploadedFile } from '../contract/platform/upload.schema'

type PicturePreviewProps = {
  picture: UploadedFile
  onUse: () => void
  onClose: () => void
}

/** Preview of a picture with the list of its removed parts; it is saved only after the user accepts it. */
export default function PicturePreview({ picture, onUse, onClose }: PicturePreviewProps) {
  const { url, name, omitted: omittedParts } = picture
  return (
    <Modal
      open
      title="预览图片"
      width={720}
      okText="使用这张图片"
      cancelText="不用"
      onOk={onUse}
      onCancel={onClose}
    >
      {omittedParts.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title="有些内容不能保留，保存后的图片如下"
          description={
            <ul style={{ margin: 0, paddingInlineStart: 20, overflowWrap: 'anywhere' }}>
              {omittedParts.map((omittedPart) => (
                <li key={omittedPart}>{omittedPart}</li>
              ))}
            </ul>
          }
          style={{ marginBottom: 12 }}
        />
      )}
      <img
        src={toFileUrl(url)}
        alt={name}
        style={{
          display: 'block',
          width: '100%',
          height: '50vh',
          objectFit: 'contain',
          // Floor plans are drawn for white paper.
          background: '#fff',
        }}
      />
    </Modal>
  )
}
