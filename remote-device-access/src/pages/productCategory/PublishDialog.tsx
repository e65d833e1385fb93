import useRequest from 'ahooks/es/useRequest'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import type { FunctionChange } from '@iot/shared/contract/thingModel/modelDifference'
import { useFeedback } from '@iot/shared/ui/feedback'
import { PermissionModal } from '@iot/shared/ui/rightModal'
import { useTextDraft } from '@iot/shared/ui/useDraft'
import { ModelDifference } from '../thingModel/ModelDifference'

type PublishDialogProps = {
  changes: FunctionChange[]
  number: number
  publish: (note: string) => Promise<unknown>
  onClose: () => void
}

/** Shows the changes of a version before it is published, after which it is immutable. */
export default function PublishDialog({ changes, number, publish, onClose }: PublishDialogProps) {
  const { message } = useFeedback()
  const [note, setNote, close] = useTextDraft(`versionNote/${number}`, '', onClose)
  const { run: publishVersion, loading } = useRequest(
    async () => {
      if (!(await publish(note))) return
      message.success(`已发布版本 ${number}`)
      close()
    },
    { manual: true },
  )
  return (
    <PermissionModal
      open
      to={productCategoryApi.publish}
      title={`发布版本 ${number}`}
      width={720}
      style={{ top: 40 }}
      okText="发布"
      confirmLoading={loading}
      onOk={publishVersion}
      onCancel={close}
    >
      <Flex vertical gap={12}>
        <span>发布后这个版本不能再修改；跟随本品类的产品会收到提示，由各产品决定是否采用。</span>
        <ModelDifference changes={changes} />
        <Form.Item label="版本说明" htmlFor="versionNote" style={{ margin: 0 }}>
          <Input.TextArea
            id="versionNote"
            rows={2}
            count={{ show: true, max: 200 }}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        </Form.Item>
      </Flex>
    </PermissionModal>
  )
}
