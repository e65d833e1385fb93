import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Typography from 'antd/es/typography'
import { call } from '@iot/shared/client/call'
import { exampleDataApi } from '@iot/shared/contract/project/exampleData.api'
import { formatValue } from '@iot/shared/ui/field'
import { Card } from '@iot/shared/ui/card'
import { useFeedback } from '@iot/shared/ui/feedback'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Can } from '@iot/shared/ui/right'

const ClearExampleDialog = lazyDialog(() => import('./ClearExampleDialog'))

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
      {preview.data && (
        <ClearExampleDialog
          outcome={preview.data}
          isClearing={clearing.loading}
          onClear={() => clearing.run()}
          onClose={closeDialog}
        />
      )}
    </Card>
  )
}
