import Flex from 'antd/es/flex'
import Modal from 'antd/es/modal'
import Typography from 'antd/es/typography'
import type { ExampleOutcome } from '@iot/shared/contract/project/exampleData.schema'
import * as styles from './platformSettings.module.css'

type ClearExampleDialogProps = {
  outcome: ExampleOutcome
  isClearing: boolean
  onClear: () => void
  onClose: () => void
}

/** Names what clearing removes, and what stays with the reason. */
export default function ClearExampleDialog({
  outcome: { removed, kept, keptCount },
  isClearing,
  onClear,
  onClose,
}: ClearExampleDialogProps) {
  return (
    <Modal
      open
      title="清除示例数据？"
      okText="清除"
      okButtonProps={{ danger: true }}
      confirmLoading={isClearing}
      onOk={onClear}
      onCancel={onClose}
    >
      <Flex vertical gap={12}>
        <span>
          {removed.length > 0
            ? `将删除 ${removed.map(({ title, count }) => `${title} ${count}`).join('、')}，以及它们的历史和能耗。删除后不能恢复。`
            : '没有可以删除的示例数据。'}
        </span>
        {keptCount > 0 && (
          <div>
            {`以下 ${keptCount} 项有人改过或正在使用，将保留：`}
            <ul className={styles.keptRows}>
              {kept.map(({ title, name, reason }) => (
                <li key={`${title} ${name}`}>
                  {`${title}“${name}” `}
                  <Typography.Text type="secondary">{reason}</Typography.Text>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Flex>
    </Modal>
  )
}
