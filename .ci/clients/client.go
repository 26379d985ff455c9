// Uses a client generated from /openapi.json: uploads a picture, and follows the pages of a list with several values.
package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"client/api"
)

const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func expect(holds bool, value any) {
	if !holds {
		panic(fmt.Sprintf("%+v", value))
	}
}

func main() {
	ctx := context.Background()
	client := must(api.NewClientWithResponses(os.Args[1]))

	var users []int64
	for _, name := range []string{"Ann", "Ben"} {
		body := api.NewUser{Name: name, PlatformId: fmt.Sprintf("go-%s-%d", name, time.Now().UnixNano())}
		user := must(client.CreateUserWithResponse(ctx, nil, body)).JSON201
		users = append(users, user.UserId)
		for amount := int64(1); amount <= 3; amount++ {
			transaction := api.NewTransactionOfUser{Amount: amount, Description: "welcome"}
			created := must(client.CreateTransactionOfUserWithResponse(ctx, user.UserId, nil, transaction))
			expect(created.JSON201 != nil && created.JSON201.User.PlatformId == body.PlatformId, string(created.Body))
		}
	}

	// The upload is a form with one part per child.
	image := must(base64.StdEncoding.DecodeString(picture))
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	must(must(writer.CreateFormFile("document_data", "a.png")).Write(image))
	for _, field := range [][2]string{{"seal", "7"}, {"stamps", stamp(1)}, {"stamps", stamp(2)}} {
		expect(writer.WriteField(field[0], field[1]) == nil, field)
	}
	expect(writer.Close() == nil, form)
	created := must(client.CreateDocumentWithBodyWithResponse(ctx, nil, writer.FormDataContentType(), &form))
	expect(created.JSON201 != nil && len(created.JSON201.Stamps) == 2, string(created.Body))
	download := must(http.Get(created.JSON201.DocumentData))
	expect(bytes.Equal(must(io.ReadAll(download.Body)), image), download.Status)

	limit, found := 4, 0
	params := api.ListTransactionsParams{UserId: &users, Limit: &limit}
	for {
		page := must(client.ListTransactionsWithResponse(ctx, &params))
		expect(page.JSON200 != nil, string(page.Body))
		found += len(*page.JSON200)
		if page.Headers200 == nil || page.Headers200.Link == nil {
			break
		}
		next, _, _ := strings.Cut(strings.TrimPrefix(*page.Headers200.Link, "<"), ">")
		cursor := must(url.Parse(next)).Query().Get("cursor")
		params.Cursor = &cursor
	}
	expect(found == 6, found)

	refused := must(client.ChangeUserWithResponse(ctx, users[0], nil, api.UserChanges{Name: new(string)}))
	problem := refused.ApplicationproblemJSON422
	expect(problem != nil && *(*problem.Errors)[0].Pointer == "/name", string(refused.Body))
	fmt.Println("the Go client works")
}

func stamp(x int) string {
	return fmt.Sprintf(`{"stamp_type": "heart", "pos_x": %d, "pos_y": 1, "rotation": 0.5}`, x)
}
