CREATE TABLE "notification_outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"occasion_id" text NOT NULL,
	"channel_id" uuid NOT NULL,
	"policy_id" uuid,
	"step" integer NOT NULL,
	"event" text NOT NULL,
	"subject" text NOT NULL,
	"project_id" integer,
	"severity" text NOT NULL,
	"content" jsonb NOT NULL,
	"role_ids" uuid[] NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"message_id" uuid,
	"is_short" boolean DEFAULT false NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text DEFAULT '' NOT NULL,
	"create_time" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"next_time" timestamp with time zone DEFAULT now() NOT NULL,
	"expire_time" timestamp with time zone DEFAULT now() + interval '24 hours' NOT NULL,
	"done_time" timestamp with time zone,
	CONSTRAINT "notification_outbox_once" UNIQUE("occasion_id","channel_id","step")
);
--> statement-breakpoint
CREATE INDEX "notification_outbox_pending" ON "notification_outbox" USING btree ("channel_id","create_time") WHERE "notification_outbox"."status" = 'pending';
--> statement-breakpoint
CREATE INDEX "notification_outbox_subject" ON "notification_outbox" USING btree ("subject");
--> statement-breakpoint
CREATE INDEX "notification_outbox_time" ON "notification_outbox" USING btree ("create_time");
