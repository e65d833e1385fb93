CREATE TABLE "password_history" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"password_hash" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "password_history" ADD CONSTRAINT "password_history_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "password_history_user" ON "password_history" USING btree ("user_id");
--> statement-breakpoint
ALTER TABLE "user_account" ADD COLUMN "password_time" timestamp with time zone DEFAULT now() NOT NULL;
--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "password_due" text;
--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "must_enrol_second_factor" boolean DEFAULT false NOT NULL;
