ALTER TABLE "notification_outbox" DROP CONSTRAINT "notification_outbox_once";--> statement-breakpoint
ALTER TABLE "notification_outbox" ADD COLUMN "remaining_recipients" text[];--> statement-breakpoint
ALTER TABLE "notification_outbox" ADD CONSTRAINT "notification_outbox_once" UNIQUE("occasion_id","channel_id","step","policy_id");