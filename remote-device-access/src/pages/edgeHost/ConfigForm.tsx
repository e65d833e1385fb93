import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { call } from '@iot/shared/client/call'
import { EdgeConfig } from '@iot/shared/contract/device/edgeHost.schema'
import { edgeHostApi } from '@iot/shared/contract/device/edgeHost.api'
import { field } from '@iot/shared/ui/field'
import { memoryDraftPrefix } from '@iot/shared/session/drafts'
import { FormDialog } from '@iot/shared/ui/formDialog'

type ConfigFormProps = { config: EdgeConfig; onSaved: () => void; onClose: () => void }

/**
 * Edits the next version of a host's configuration. The draft stays in memory, because the configuration may contain
 * secrets.
 */
export default function ConfigForm({ config, onSaved, onClose }: ConfigFormProps) {
  return (
    <FormDialog<EdgeConfig>
      wide
      title={`编辑配置（保存为版本 ${config.version + 1}）`}
      schema={EdgeConfig}
      initial={config}
      draft={`${memoryDraftPrefix}edgeConfig`}
      to={edgeHostApi.setConfig}
      send={({ content }, revision, options) =>
        call(edgeHostApi.setConfig, { ...revision!, content }, options)
      }
      onSaved={onSaved}
      onClose={onClose}
    >
      <Form.Item
        {...field(EdgeConfig, 'content')}
        extra="文本或 JSON；以 { 或 [ 开头的按 JSON 检查"
      >
        <Input.TextArea
          rows={24}
          spellCheck={false}
          style={{ fontFamily: 'var(--ant-font-family-code)' }}
        />
      </Form.Item>
    </FormDialog>
  )
}
