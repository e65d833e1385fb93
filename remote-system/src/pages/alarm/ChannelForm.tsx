import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import {
  channelKindText,
  defaultTemplate,
  smtpPorts,
  smtpSecurityText,
  templateFields,
  type ChannelKind,
  type SmtpSecurity,
} from '@iot/shared/contract/alarm/notificationChannel'
import { notificationChannelApi } from '@iot/shared/contract/alarm/notificationChannel.api'
import {
  NotificationChannel,
  NotificationChannelChange,
  NotificationChannelDraft as Draft,
  type NotificationChannelDraft,
} from '@iot/shared/contract/alarm/notificationChannel.schema'
import { toTextOptions } from '@iot/shared/contract/options'
import { field } from '@iot/shared/ui/field'
import { createSaveCall, FormDialog, FormGroup, fullRowStyle } from '@iot/shared/ui/formDialog'
import { ChoiceItem, NumberItem, StatusItem, TextItem } from '@iot/shared/ui/items'
import { Select } from '@iot/shared/ui/select'
import { uniqueCheck } from '@iot/shared/ui/taken'

const blankChannel: NotificationChannelDraft = {
  name: '',
  kind: 'wecom',
  status: 'enabled',
  perMinute: 3,
  template: '',
  smtpHost: '',
  smtpPort: smtpPorts.tls,
  smtpSecurity: 'tls',
  smtpUser: '',
  smtpCa: '',
  sender: '',
  senderName: '物联云平台',
  recipients: [],
  url: '',
  secret: '',
  smtpPassword: '',
}
type AddressKind = Exclude<ChannelKind, 'email' | 'browser'>
const urlPlaceholders: Record<AddressKind, string> = {
  webhook: 'https://',
  wecom: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…',
  dingtalk: 'https://oapi.dingtalk.com/robot/send?access_token=…',
  feishu: 'https://open.feishu.cn/open-apis/bot/v2/hook/…',
}
const generatedSecretBytes = 24
function generateSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(generatedSecretBytes))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}
const keepText = (isStored?: boolean) => (isStored ? '已保存，不填则不变' : undefined)

type ChannelFormProps = {
  channel?: NotificationChannel
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function ChannelForm({ channel, onSaved, onClose }: ChannelFormProps) {
  const [form] = Form.useForm<NotificationChannelDraft>()
  const initial = channel
    ? { ...blankChannel, ...channel, url: '', secret: '', smtpPassword: '' }
    : blankChannel
  const kind = Form.useWatch('kind', form) ?? initial.kind
  return (
    <FormDialog<NotificationChannelDraft>
      title={channel ? '编辑通知渠道' : '新建通知渠道'}
      schema={NotificationChannel}
      initial={initial}
      form={form}
      draft="notificationChannel"
      // The address of a robot contains its key.
      draftSecrets={['url']}
      send={createSaveCall(notificationChannelApi, Draft, NotificationChannelChange)}
      show={(name, value) =>
        name === 'kind'
          ? channelKindText[value as ChannelKind]
          : name === 'smtpSecurity' && smtpSecurityText[value as SmtpSecurity]
      }
      onValuesChange={({ smtpSecurity }) =>
        smtpSecurity && form.setFieldsValue({ smtpPort: smtpPorts[smtpSecurity] })
      }
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <TextItem
          of={Draft}
          name="name"
          check={uniqueCheck('notificationChannel', 'name', channel?.id)}
          autoFocus
        />
        <ChoiceItem
          of={Draft}
          name="kind"
          options={toTextOptions(channelKindText)}
          disabled={channel !== undefined}
        />
        <NumberItem of={Draft} name="perMinute" suffix="条" extra="更多的通知合并为一条汇总" />
        <StatusItem of={Draft} name="status" />
      </FormGroup>
      {kind === 'email' ? (
        <MailFields hasPassword={channel?.hasPassword} />
      ) : kind === 'browser' ? (
        <Alert
          role="status"
          type="info"
          showIcon
          title="发到已登录的控制台页面；发给谁在通知策略里按角色选择，没有人在线时转下一步"
        />
      ) : (
        <AddressFields
          kind={kind}
          channel={channel}
          onGenerate={() => form.setFieldsValue({ secret: generateSecret() })}
        />
      )}
      {kind !== 'webhook' && kind !== 'browser' && (
        <FormGroup title="消息模板">
          <Form.Item
            {...field(Draft, 'template')}
            style={fullRowStyle}
            extra={`可用字段：${Object.entries(templateFields)
              .map(([name, title]) => `{${name}} ${title}`)
              .join('，')}；不填则用默认模板`}
          >
            <Input.TextArea rows={5} placeholder={defaultTemplate} />
          </Form.Item>
        </FormGroup>
      )}
    </FormDialog>
  )
}

type AddressFieldsProps = {
  kind: AddressKind
  channel?: NotificationChannel
  onGenerate: () => void
}
function AddressFields({ kind, channel, onGenerate }: AddressFieldsProps) {
  return (
    <FormGroup title="发往">
      <Form.Item {...field(Draft, 'url')} style={fullRowStyle} extra={keepText(!!channel)}>
        <Input autoComplete="off" placeholder={channel?.urlHint || urlPlaceholders[kind]} />
      </Form.Item>
      {kind !== 'wecom' && (
        <Form.Item
          {...field(Draft, 'secret')}
          style={fullRowStyle}
          extra={keepText(channel?.hasSecret) ?? (kind !== 'webhook' && '机器人开启加签时填写')}
        >
          <Input
            autoComplete="off"
            suffix={
              kind === 'webhook' && (
                <Button type="link" size="small" onClick={onGenerate}>
                  生成
                </Button>
              )
            }
          />
        </Form.Item>
      )}
    </FormGroup>
  )
}

function MailFields({ hasPassword }: { hasPassword?: boolean }) {
  return (
    <FormGroup title="邮件服务器">
      <TextItem of={Draft} name="smtpHost" placeholder="smtp.example.com" />
      <ChoiceItem of={Draft} name="smtpSecurity" options={toTextOptions(smtpSecurityText)} />
      <NumberItem of={Draft} name="smtpPort" />
      <TextItem of={Draft} name="smtpUser" />
      <Form.Item {...field(Draft, 'smtpPassword')} extra={keepText(hasPassword)}>
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <TextItem of={Draft} name="sender" placeholder="platform@example.com" />
      <TextItem of={Draft} name="senderName" />
      <Form.Item {...field(Draft, 'recipients')} style={fullRowStyle} extra="回车添加">
        <Select
          mode="tags"
          tokenSeparators={[',', '，', ';', '；', ' ']}
          open={false}
          suffixIcon={null}
        />
      </Form.Item>
      <Form.Item {...field(Draft, 'smtpCa')} style={fullRowStyle}>
        <Input.TextArea rows={2} placeholder="自建证书的服务器才需要，PEM 格式" />
      </Form.Item>
      <Form.Item noStyle dependencies={['smtpSecurity']}>
        {({ getFieldValue }) =>
          getFieldValue('smtpSecurity') === 'none' && (
            <Alert
              role="status"
              type="warning"
              showIcon
              title="邮件内容不加密，也不发送密码"
              style={fullRowStyle}
            />
          )
        }
      </Form.Item>
    </FormGroup>
  )
}
