CREATE TABLE "known_device" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"last_used" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "known_device" ADD CONSTRAINT "known_device_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "known_device_token_user" ON "known_device" USING btree ("token_hash","user_id");
--> statement-breakpoint
CREATE INDEX "known_device_user" ON "known_device" USING btree ("user_id");
