import { useRequest } from 'ahooks'
import { Button, Flex, Modal, Typography } from 'antd'
import { call } from '@iot/shared/client/call'
import { exampleDataApi } from '@iot/shared/contract/project/exampleData.api'
import type { ExampleOutcome } from '@iot/shared/contract/project/exampleData.schema'
import { formatValue } from '@iot/shared/ui/field'
import { Card } from '@iot/shared/ui/card'
import { useFeedback } from '@iot/shared/ui/feedback'
import { Can } from '@iot/shared/ui/right'
import * as styles from './platformSettings.module.css'

/** The example site that `npm start` adds, with the button that removes it; nothing on other platforms. */
export function ExampleDataCard() {
  const { message } = useFeedback()
  const site = useRequest(() => call(exampleDataApi.read, {}, { quiet: true }))
  const preview = useRequest(() => call(exampleDataApi.preview, {}), { manual: true })
  const clearing = useRequest(() => call(exampleDataApi.clear, {}), {
    manual: true,
    onSuccess({ keptCount }) {
      closeDialog()
      site.refresh()
      void message.success(
        keptCount > 0 ? `示例数据已清除，保留 ${keptCount} 项` : '示例数据已清除',
      )
    },
  })
  const closeDialog = () => preview.mutate(undefined)
  const { data } = site
  if (!data?.addedTime) return null

  return (
    <Card
      title="示例数据"
      extra={
        <Can to={exampleDataApi.clear} unless={data.rowCount === 0 && '已经清除'}>
          <Button loading={preview.loading} onClick={() => preview.run()}>
            清除示例数据
          </Button>
        </Can>
      }
    >
      <Typography.Text type="secondary">
        {data.clearedTime
          ? `${data.clearedBy} 于 ${formatValue(data.clearedTime)} 清除${data.rowCount > 0 ? `，保留 ${data.rowCount} 项` : ''}。`
          : `首次启动时添加的示例楼宇和目录、用户、日志等，共 ${data.rowCount} 项，创建人为“示例数据”。`}
      </Typography.Text>
      <Modal
        open={preview.data !== undefined}
        title="清除示例数据？"
        okText="清除"
        okButtonProps={{ danger: true }}
        confirmLoading={clearing.loading}
        onOk={() => clearing.run()}
        onCancel={closeDialog}
      >
        {preview.data && <Outcome outcome={preview.data} />}
      </Modal>
    </Card>
  )
}

/** Names what clearing removes, and what stays with the reason. */
const Outcome = ({ outcome: { removed, kept, keptCount } }: { outcome: ExampleOutcome }) => (
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
)
